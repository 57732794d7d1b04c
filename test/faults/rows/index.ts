import type { Row } from "../row";
import { kills } from "./kills";
import { locked } from "./locked";

/** Every fault that the bench knows, by the name it is called with. */
export const ROWS: Record<string, Row> = { kills, locked };
