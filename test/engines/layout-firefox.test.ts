import { testLayout } from "../support/engines/layout";

testLayout("firefox", { widths: "outer", theme: "light" });
