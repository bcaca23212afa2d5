/** For programs that embed a whole gateway, configuration and plugins included. */
export { type OpenGateway, type OpenGatewayOptions, openGateway } from "./gateway/open-gateway.ts";
