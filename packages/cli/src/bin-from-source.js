#!/usr/bin/env node
/*
 * The program as it runs from source; what is published begins with bin.ts, compiled. Plain JavaScript, since node loads
 * a compiler for the first file with types that no compile cache knows: 20 ms and 17 MB.
 */
import { enablePrivateCompileCache } from "./compile-cache.js";

enablePrivateCompileCache();
await import("./bin.ts");
