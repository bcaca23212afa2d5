import { createGate, type Gate, type Script, say, wait } from "@banyan/runtime-demo";
import { type Browser, type BrowserContextOptions, expect as _ , type Page } from "playwright-core";
