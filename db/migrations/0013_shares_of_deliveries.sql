ALTER TABLE `webhooks` ADD `api_token_id` integer REFERENCES api_tokens(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `slow_tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `webhooks_token` ON `webhooks` (`api_token_id`) WHERE api_token_id is not null;--> statement-breakpoint
CREATE INDEX `notifications_waiting` ON `notifications` (`channel`,(case when user_id is null then 0 else user_id end),`next_attempt_at`) WHERE status = 'queued';