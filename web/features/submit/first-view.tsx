import texts from "../../../locales/en/submit.json";
import { SubmitApp } from "./submit-app";

/** The recipient's page in English, before its request is loaded. */
export const firstView = <SubmitApp token="" language="en" texts={texts} />;
