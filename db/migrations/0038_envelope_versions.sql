ALTER TABLE `requests` ADD `version` text;
--> statement-breakpoint
CREATE TRIGGER `requests_version` AFTER UPDATE ON `requests` WHEN NEW.`version` IS OLD.`version` BEGIN UPDATE `requests` SET `version` = lower(hex(randomblob(8))) WHERE `id` = NEW.`id`; END;
--> statement-breakpoint
CREATE TRIGGER `request_documents_version_insert` AFTER INSERT ON `request_documents` BEGIN UPDATE `requests` SET `version` = lower(hex(randomblob(8))) WHERE `id` = NEW.`request_id`; END;
--> statement-breakpoint
CREATE TRIGGER `request_documents_version_update` AFTER UPDATE ON `request_documents` BEGIN UPDATE `requests` SET `version` = lower(hex(randomblob(8))) WHERE `id` = NEW.`request_id`; END;
--> statement-breakpoint
CREATE TRIGGER `request_documents_version_delete` AFTER DELETE ON `request_documents` BEGIN UPDATE `requests` SET `version` = lower(hex(randomblob(8))) WHERE `id` = OLD.`request_id`; END;
--> statement-breakpoint
CREATE TRIGGER `submissions_version_insert` AFTER INSERT ON `submissions` BEGIN UPDATE `requests` SET `version` = lower(hex(randomblob(8))) WHERE `id` = NEW.`envelope_id`; END;
--> statement-breakpoint
CREATE TRIGGER `submissions_version_update` AFTER UPDATE ON `submissions` BEGIN UPDATE `requests` SET `version` = lower(hex(randomblob(8))) WHERE `id` = NEW.`envelope_id`; END;
--> statement-breakpoint
CREATE TRIGGER `submissions_version_delete` AFTER DELETE ON `submissions` BEGIN UPDATE `requests` SET `version` = lower(hex(randomblob(8))) WHERE `id` = OLD.`envelope_id`; END;
--> statement-breakpoint
CREATE TRIGGER `uploads_version_insert` AFTER INSERT ON `uploads` WHEN NEW.`completed_at` IS NOT NULL BEGIN UPDATE `requests` SET `version` = lower(hex(randomblob(8))) WHERE `id` = NEW.`envelope_id`; END;
--> statement-breakpoint
CREATE TRIGGER `uploads_version_update` AFTER UPDATE OF `completed_at`, `request_document_id` ON `uploads` BEGIN UPDATE `requests` SET `version` = lower(hex(randomblob(8))) WHERE `id` = NEW.`envelope_id`; END;
--> statement-breakpoint
CREATE TRIGGER `uploads_version_delete` AFTER DELETE ON `uploads` WHEN OLD.`completed_at` IS NOT NULL BEGIN UPDATE `requests` SET `version` = lower(hex(randomblob(8))) WHERE `id` = OLD.`envelope_id`; END;
--> statement-breakpoint
CREATE TRIGGER `contacts_version` AFTER UPDATE OF `first_name`, `last_name`, `workspace_id` ON `contacts` WHEN NEW.`first_name` IS NOT OLD.`first_name` OR NEW.`last_name` IS NOT OLD.`last_name` OR NEW.`workspace_id` IS NOT OLD.`workspace_id` BEGIN UPDATE `requests` SET `version` = lower(hex(randomblob(8))) WHERE `contact_id` = NEW.`id`; END;
