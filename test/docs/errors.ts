import { CHANNEL_ERROR_CLASSES } from "@banyan/plugin-sdk";
import { ERROR_CODES } from "../../packages/core/src/ports/errors.ts";
import { DELIVERY_CURES, ERROR_CURES, STORE_CURES } from "./error-cures.ts";
import { readErrorMessages } from "./error-messages.ts";
import { formatTable } from "./generated-part.ts";

interface Trouble {
  readonly meaning: string;
  readonly cause: string;
  readonly cure: string;
}

/** A section for each code of `BanyanError`. */
export function buildErrors(): string {
  const means: Readonly<Record<string, string>> = ERROR_CODES;
  return formatCodes(
    Object.entries(ERROR_CURES).map(([code, cure]) => [code, { ...cure, meaning: means[code] ?? "" }] as const),
  );
}

/** A section for each code of `StoreError`. */
export function buildStoreErrors(): string {
  return formatCodes(Object.entries(STORE_CURES));
}

/** A row for each class of `ChannelError`. */
export function buildDeliveryErrors(): string {
  const means: Readonly<Record<string, string>> = CHANNEL_ERROR_CLASSES;
  return formatTable(
    ["class", "meaning", "what Banyan does", "what you can do"],
    Object.entries(DELIVERY_CURES).map(([name, { cause, cure }]) => [`\`${name}\``, means[name] ?? "", cause, cure]),
  );
}

function formatCodes(codes: readonly (readonly [code: string, trouble: Trouble])[]): string {
  const messages = readErrorMessages();
  return codes
    .map(([code, { meaning, cause, cure }]) => {
      const said = messages.get(code) ?? [];
      return [
        `### \`${code}\``,
        `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`,
        `- Cause: ${cause}\n- Cure: ${cure}`,
        ...(said.length === 0 ? [] : [["```text", ...said, "```"].join("\n")]),
      ].join("\n\n");
    })
    .join("\n\n");
}
