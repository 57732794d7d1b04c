import { createMemoryFileStore } from "../support/memory/memory-file-store";
import { fileStoreSuite } from "./file-store-suite";

fileStoreSuite("memory", async () => ({ store: createMemoryFileStore(), close: () => {} }));
