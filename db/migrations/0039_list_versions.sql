CREATE TABLE `list_versions` (
	`workspace_id` integer PRIMARY KEY NOT NULL,
	`version` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `list_versions` SELECT `id`, lower(hex(randomblob(8))) FROM `workspaces`;
--> statement-breakpoint
INSERT INTO `list_versions` SELECT 0, lower(hex(randomblob(8)));
--> statement-breakpoint
CREATE TRIGGER `requests_list_insert` AFTER INSERT ON `requests` BEGIN INSERT INTO `list_versions` VALUES (NEW.`workspace_id`, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `requests_list_update` AFTER UPDATE OF `version` ON `requests` WHEN NEW.`version` IS NOT OLD.`version` BEGIN INSERT INTO `list_versions` VALUES (NEW.`workspace_id`, NEW.`version`) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `requests_list_move` AFTER UPDATE OF `workspace_id` ON `requests` WHEN NEW.`workspace_id` IS NOT OLD.`workspace_id` BEGIN INSERT INTO `list_versions` VALUES (OLD.`workspace_id`, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `requests_list_delete` AFTER DELETE ON `requests` BEGIN INSERT INTO `list_versions` VALUES (OLD.`workspace_id`, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `request_watchers_list_insert` AFTER INSERT ON `request_watchers` BEGIN INSERT INTO `list_versions` SELECT `workspace_id`, lower(hex(randomblob(8))) FROM `requests` WHERE `id` = NEW.`request_id` ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `request_watchers_list_delete` AFTER DELETE ON `request_watchers` BEGIN INSERT INTO `list_versions` SELECT `workspace_id`, lower(hex(randomblob(8))) FROM `requests` WHERE `id` = OLD.`request_id` ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `workspace_members_list_insert` AFTER INSERT ON `workspace_members` BEGIN INSERT INTO `list_versions` VALUES (NEW.`workspace_id`, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `workspace_members_list_update` AFTER UPDATE ON `workspace_members` BEGIN INSERT INTO `list_versions` VALUES (NEW.`workspace_id`, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `workspace_members_list_delete` AFTER DELETE ON `workspace_members` BEGIN INSERT INTO `list_versions` VALUES (OLD.`workspace_id`, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `workspaces_list_update` AFTER UPDATE OF `retention_days` ON `workspaces` WHEN NEW.`retention_days` IS NOT OLD.`retention_days` BEGIN INSERT INTO `list_versions` VALUES (NEW.`id`, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `workspaces_list_delete` AFTER DELETE ON `workspaces` BEGIN DELETE FROM `list_versions` WHERE `workspace_id` = OLD.`id`; END;
--> statement-breakpoint
CREATE TRIGGER `contacts_list_update` AFTER UPDATE OF `email`, `workspace_id` ON `contacts` WHEN NEW.`email` IS NOT OLD.`email` OR NEW.`workspace_id` IS NOT OLD.`workspace_id` BEGIN INSERT INTO `list_versions` VALUES (NEW.`workspace_id`, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; INSERT INTO `list_versions` VALUES (OLD.`workspace_id`, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `contacts_list_delete` AFTER DELETE ON `contacts` BEGIN INSERT INTO `list_versions` VALUES (OLD.`workspace_id`, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `users_list_update` AFTER UPDATE OF `first_name`, `last_name`, `email`, `has_unsubscribers` ON `users` WHEN NEW.`first_name` IS NOT OLD.`first_name` OR NEW.`last_name` IS NOT OLD.`last_name` OR NEW.`email` IS NOT OLD.`email` OR NEW.`has_unsubscribers` IS NOT OLD.`has_unsubscribers` BEGIN INSERT INTO `list_versions` VALUES (0, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `users_list_delete` AFTER DELETE ON `users` BEGIN INSERT INTO `list_versions` VALUES (0, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `unsubscribe_links_list_insert` AFTER INSERT ON `unsubscribe_links` WHEN NEW.`unsubscribed_at` IS NOT NULL BEGIN INSERT INTO `list_versions` VALUES (0, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `unsubscribe_links_list_update` AFTER UPDATE OF `unsubscribed_at` ON `unsubscribe_links` WHEN NEW.`unsubscribed_at` IS NOT OLD.`unsubscribed_at` BEGIN INSERT INTO `list_versions` VALUES (0, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
--> statement-breakpoint
CREATE TRIGGER `unsubscribe_links_list_delete` AFTER DELETE ON `unsubscribe_links` WHEN OLD.`unsubscribed_at` IS NOT NULL BEGIN INSERT INTO `list_versions` VALUES (0, lower(hex(randomblob(8)))) ON CONFLICT (`workspace_id`) DO UPDATE SET `version` = excluded.`version`; END;
