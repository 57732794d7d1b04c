import { testLayout } from "../support/engines/layout";

testLayout("webkit", { widths: "outer", theme: "dark" });
