ALTER TABLE `webhooks` ADD `made_by` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `secret_seen_by` integer;--> statement-breakpoint
UPDATE `webhooks` SET `made_by` = `user_id`, `secret_seen_by` = `user_id`;