/** Key names of `press`, as in `KeyboardEvent.key`. */
export type Key =
  | "Tab"
  | "Shift+Tab"
  | "Enter"
  | "Escape"
  | "Space"
  | "ArrowDown"
  | "ArrowUp"
  | "ArrowLeft"
  | "ArrowRight";

/** What the tests need from a browser. Each engine implements this and nothing more. */
export type Tab = {
  goto: (url: string) => Promise<void>;
  /** Sets the size of the viewport. */
  resize: (width: number, height: number) => Promise<void>;
  /** Evaluates an expression in the page, waits for its promise and returns the string it results in. */
  evaluate: (expression: string) => Promise<string>;
  clickAt: (x: number, y: number) => Promise<void>;
  press: (key: Key) => Promise<void>;
  type: (text: string) => Promise<void>;
  /** Chooses files in the first file input that the CSS selector matches. */
  setFiles: (selector: string, paths: string[]) => Promise<void>;
  /** A PNG of the viewport. */
  screenshot: () => Promise<Uint8Array>;
  /** Errors the browser logged by itself, where the engine reports them. */
  problems: string[];
  close: () => Promise<void>;
};

export type Engine = {
  /** Opens a tab with its own cookies and storage. */
  open: () => Promise<Tab>;
  close: () => Promise<void>;
};

export const ENGINES = ["chromium", "firefox", "webkit"] as const;
export type EngineName = (typeof ENGINES)[number];
