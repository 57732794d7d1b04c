import { testLayout } from "../support/engines/layout";

testLayout("webkit", { widths: "usual", theme: "dark" });
