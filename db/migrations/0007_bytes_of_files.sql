DROP INDEX `envelopes_text_bytes`;--> statement-breakpoint
DROP INDEX `envelopes_user_bytes`;--> statement-breakpoint
ALTER TABLE `envelopes` ADD `file_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `envelopes` SET `file_bytes` = (SELECT coalesce(sum(`submissions`.`file_size`), 0) FROM `submissions` WHERE `submissions`.`envelope_id` = `envelopes`.`id` AND `submissions`.`deleted_at` IS NULL) WHERE `envelopes`.`id` IN (SELECT `submissions`.`envelope_id` FROM `submissions`);--> statement-breakpoint
CREATE INDEX `envelopes_workspace_bytes` ON `envelopes` (`workspace_id`,`text_bytes`,`file_bytes`);--> statement-breakpoint
CREATE INDEX `envelopes_user_bytes` ON `envelopes` (`user_id`,`text_bytes`,`file_bytes`);