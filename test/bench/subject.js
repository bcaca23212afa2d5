/* The measured processes without the compiler that node loads for a first file with types: as if they were built. */
import { enablePrivateCompileCache } from "../../packages/cli/src/compile-cache.js";

enablePrivateCompileCache();
await import("./subject.ts");
