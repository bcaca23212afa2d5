/** For configurations, and for programs that embed a whole gateway, configuration and plugins included. */
export { type BanyanConfigInput, defineConfig } from "@banyan/core";
export { type OpenDev, openDev } from "./dev/open-dev.ts";
export {
  type ListeningGateway,
  type OpenGateway,
  type OpenGatewayOptions,
  openGateway,
} from "./gateway/open-gateway.ts";
