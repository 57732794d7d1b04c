import { expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describeApi } from "../support/api";
import { DOCUMENT } from "../support/described";

const operations = Object.values(DOCUMENT.paths).flatMap((path) => Object.values(path));

describeApi("the OpenAPI document", (api) => {
  test("is valid by a validator of others, and names the origin of the app", async () => {
    const { status, body, headers } = await api.anonymous().get("/api/openapi.json");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(body.openapi).toBe("3.1.0");
    expect(body.servers).toEqual([{ url: api.origin }]);
    const { valid, errors } = await new Validator().validate(body);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });
});

test("each call has a name of its own", () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
});
