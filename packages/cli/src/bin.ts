#!/usr/bin/env node
console.log("banyan", process.version);
