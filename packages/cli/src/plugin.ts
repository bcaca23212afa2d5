/** For plugins: the contract of channels, tools and agent runtimes, and the schemas that their settings are described with. */
export * from "@banyan/plugin-sdk";
export { z } from "zod";
