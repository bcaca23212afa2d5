/** `pnpm docs:write`: writes the generated parts of the pages in `docs/`. */
import { writeParts } from "./generated-part.ts";
import { GENERATED_PARTS } from "./generated-parts.ts";

const changed = writeParts(GENERATED_PARTS);
console.log(changed.length === 0 ? "Every generated page is up to date." : `Written: ${changed.join(", ")}`);
