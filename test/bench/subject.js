/* The measured processes without the compiler that node loads for a first file with types: as if they were built. */
import { enableCompileCache } from "node:module";

enableCompileCache();
await import("./subject.ts");
