import type { Key } from "./tab";

/** Code points of keys without a character: https://www.w3.org/TR/webdriver2/#keyboard-actions */
const CODES = {
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Escape: "\uE00C",
  Space: " ",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
} as const;

/** A left click, in the action format that WebDriver and WebDriver BiDi share. */
export function clickActions(x: number, y: number) {
  const actions = [
    { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ];
  return [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }];
}

export function pressActions(key: Key) {
  const codes = key.split("+").map((name) => CODES[name as keyof typeof CODES]);
  return keyActions([...codes.map(down), ...codes.toReversed().map(up)]);
}

export function typeActions(text: string) {
  return keyActions([...text].flatMap((character) => [down(character), up(character)]));
}

const down = (value: string) => ({ type: "keyDown", value });
const up = (value: string) => ({ type: "keyUp", value });
const keyActions = (actions: object[]) => [{ type: "key", id: "keyboard", actions }];
