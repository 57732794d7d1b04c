import { version } from "../../package.json";

/** The version of the app, from package.json. */
export const VERSION: string = version;
