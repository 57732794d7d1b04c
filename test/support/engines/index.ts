import { startChromium } from "./chromium";
import { startFirefox } from "./firefox";
import type { Engine, EngineName } from "./tab";
import { startWebKit } from "./webkit";

const START: Record<EngineName, () => Promise<Engine>> = {
  chromium: startChromium,
  firefox: startFirefox,
  webkit: startWebKit,
};

export const startEngine = (name: EngineName): Promise<Engine> => START[name]();
