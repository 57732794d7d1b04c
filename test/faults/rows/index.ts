import type { Row } from "../row";
import { bulkKills } from "./bulk-kills";
import { clock } from "./clock";
import { connections } from "./connections";
import { deliveryKills } from "./delivery-kills";
import { ioError } from "./io-error";
import { killAtCall } from "./kill-at-call";
import { killDuringSweep } from "./kill-during-sweep";
import { answerKills, kills, memberKills } from "./kills";
import { locked } from "./locked";
import { memberRaces } from "./member-races";
import { noSpace } from "./no-space";
import { random } from "./random";
import { resume } from "./resume";
import { seriesKills } from "./series-kills";
import { twoHosts } from "./two-hosts";
import { twoProcesses } from "./two-processes";

/** Every fault row, by its name on the command line. */
export const ROWS: Record<string, Row> = {
  kills,
  "member-kills": memberKills,
  "answer-kills": answerKills,
  "bulk-kills": bulkKills,
  "series-kills": seriesKills,
  "member-races": memberRaces,
  "kill-at-call": killAtCall,
  "kill-during-sweep": killDuringSweep,
  locked,
  "no-space": noSpace,
  "io-error": ioError,
  "two-processes": twoProcesses,
  "two-hosts": twoHosts,
  connections,
  random,
  resume,
  clock,
  "delivery-kills": deliveryKills,
};
