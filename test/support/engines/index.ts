import { startChromium } from "./chromium";
import { startFirefox } from "./firefox";
import type { Engine, EngineName, EngineOptions } from "./tab";
import { startWebKit } from "./webkit";

const START: Record<EngineName, (options: EngineOptions) => Promise<Engine>> = {
  chromium: startChromium,
  firefox: startFirefox,
  webkit: startWebKit,
};

export const startEngine = (name: EngineName, options: EngineOptions = {}): Promise<Engine> =>
  START[name](options);
