DROP INDEX `envelopes_user`;--> statement-breakpoint
CREATE INDEX `envelopes_user_bytes` ON `envelopes` (`user_id`,`text_bytes`);--> statement-breakpoint
ALTER TABLE `workspaces` ADD `storage_quota` integer;