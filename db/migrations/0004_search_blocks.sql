ALTER TABLE `envelope_texts` ADD `block` integer;--> statement-breakpoint
CREATE INDEX `envelope_texts_block` ON `envelope_texts` (`workspace_id`,`block`);
--> statement-breakpoint
UPDATE `envelope_texts` SET `texts` = '[]', `stale` = 1 WHERE `texts` <> '[]';
--> statement-breakpoint
DROP VIEW `envelope_grams`;
--> statement-breakpoint
CREATE VIEW `envelope_grams` AS SELECT `id`, (SELECT group_concat((WITH RECURSIVE `window`(`part`, `at`) AS (SELECT substr(`one`.`value`, 1, 3), 1 UNION ALL SELECT substr(`one`.`value`, `at` + 1, 3), `at` + 1 FROM `window` WHERE `at` < length(`one`.`value`)) SELECT group_concat(printf('%x.%x:', `workspace_id`, `block`) || CASE instr(`part`, ' ') WHEN 0 THEN `part` ELSE substr(`part`, 1, instr(`part`, ' ') - 1) END, ' ') FROM `window` WHERE `part` <> '' AND `part` NOT LIKE ' %'), ' ') FROM json_each(`envelope_texts`.`texts`) AS `one`) || ' ' || (SELECT group_concat((WITH RECURSIVE `window`(`part`, `at`) AS (SELECT substr(`one`.`value`, 1, 2), 1 UNION ALL SELECT substr(`one`.`value`, `at` + 1, 2), `at` + 1 FROM `window` WHERE `at` < length(`one`.`value`)) SELECT group_concat(CASE instr(`part`, ' ') WHEN 0 THEN printf('%x.%x:%s %x.%x:', `workspace_id`, `block`, `part`, `workspace_id`, `block`) ELSE printf('%x.%x:', `workspace_id`, `block`) END || substr(`part`, 1, 1), ' ') FROM `window` WHERE `part` NOT LIKE ' %'), ' ') FROM json_each(`envelope_texts`.`texts`) AS `one`) AS `grams` FROM `envelope_texts`;
--> statement-breakpoint
DROP TRIGGER `envelopes_search_insert`;
--> statement-breakpoint
CREATE TRIGGER `envelopes_search_insert` AFTER INSERT ON `envelopes` BEGIN INSERT INTO `envelope_texts` VALUES(NEW.`id`, NEW.`workspace_id`, '[]', 1, NULL); END;
