import { testLayout } from "../support/engines/layout";

testLayout("chromium", { widths: "all", theme: "dark" });
