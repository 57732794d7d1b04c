import { createRoot } from "react-dom/client";

const root = document.getElementById("root");
const { label } = await (await fetch("/data")).json();
if (root)
  createRoot(root).render(
    <form>
      <label htmlFor="name">{label}</label>
      <input id="name" />
      <button type="button">Next</button>
    </form>,
  );
