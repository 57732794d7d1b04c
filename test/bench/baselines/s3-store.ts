/** The S3 store of the tests, as a process of its own. */
import { startS3Server } from "../../support/servers/s3-server";

const { S3_BUCKET = "", S3_ACCESS_KEY_ID = "", S3_SECRET_ACCESS_KEY = "" } = process.env;
const { endpoint } = startS3Server(S3_BUCKET, {
  accessKeyId: S3_ACCESS_KEY_ID,
  secretAccessKey: S3_SECRET_ACCESS_KEY,
});
process.stdout.write(`The store runs at ${endpoint}\n`);
