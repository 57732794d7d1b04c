import { testLayout } from "../support/engines/layout";

testLayout("firefox", { widths: "usual", theme: "light" });
