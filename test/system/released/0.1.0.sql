PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "__drizzle_migrations" (
			id SERIAL PRIMARY KEY,
			hash text NOT NULL,
			created_at numeric
		);
INSERT INTO __drizzle_migrations VALUES(NULL,'084b878183930e6c8515a15ed61210a2680c31d7434ed677ae396fbaf8ddcb73',1795265795641);
CREATE TABLE `contacts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`workspace_id` integer NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text,
	`email` text,
	`phone` text,
	`company` text,
	`notes` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO contacts VALUES(1,1,1,'Mateo','Alvarez','mateo.alvarez@example.com','+15550170011','Alvarez Bakery','Prefers mornings','2026-08-24T04:44:35.341Z','2026-08-24T04:44:35.341Z');
INSERT INTO contacts VALUES(2,1,1,'Ingrid','Sørensen','ingrid.sorensen@example.com','+442079460018','Fjord Studio',NULL,'2026-08-24T04:44:35.341Z','2026-08-24T04:44:35.341Z');
INSERT INTO contacts VALUES(3,1,1,'Wei','Zhang','wei.zhang@example.com','+8613800138000',NULL,NULL,'2026-08-24T04:44:35.341Z','2026-08-24T04:44:35.341Z');
INSERT INTO contacts VALUES(4,1,1,'Priya','Raman','priya.raman@example.com','+919876543210','Raman Dental','Books close in March','2026-08-24T04:44:35.341Z','2026-08-24T04:44:35.341Z');
INSERT INTO contacts VALUES(5,1,1,'Claire','Fontaine','claire.fontaine@example.com','+33142685300','Atelier Fontaine',NULL,'2026-08-24T04:44:35.341Z','2026-08-24T04:44:35.341Z');
INSERT INTO contacts VALUES(6,1,1,'Jonas','Becker','jonas.becker@example.com','+493012345678','Becker Metallbau GmbH & Co. KG',NULL,'2026-08-24T04:44:35.341Z','2026-08-24T04:44:35.341Z');
INSERT INTO contacts VALUES(7,1,1,'Yuki','Tanaka','yuki.tanaka@example.com',NULL,NULL,NULL,'2026-08-24T04:44:35.341Z','2026-08-24T04:44:35.341Z');
INSERT INTO contacts VALUES(8,1,1,'Olivia','Brown','olivia.brown@example.com','+61291234567','Brown & Daughters',NULL,'2026-08-24T04:44:35.341Z','2026-08-24T04:44:35.341Z');
CREATE TABLE `envelope_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`request_id` integer NOT NULL,
	`user_id` integer,
	`kind` text NOT NULL,
	`actor` text NOT NULL,
	`address` text,
	`detail` text,
	`at` text NOT NULL,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO envelope_events VALUES(1,1,1,'created','requestor',NULL,NULL,'2026-10-13T04:44:36.268Z');
INSERT INTO envelope_events VALUES(2,1,1,'sent','requestor',NULL,NULL,'2026-10-13T04:44:36.268Z');
INSERT INTO envelope_events VALUES(3,1,NULL,'opened','recipient',NULL,NULL,'2026-10-21T04:44:36.268Z');
INSERT INTO envelope_events VALUES(4,1,NULL,'submitted','recipient',NULL,NULL,'2026-10-29T04:44:36.268Z');
INSERT INTO envelope_events VALUES(5,2,1,'created','requestor',NULL,NULL,'2026-11-21T04:44:36.352Z');
INSERT INTO envelope_events VALUES(6,2,1,'sent','requestor',NULL,NULL,'2026-11-21T04:44:36.352Z');
INSERT INTO envelope_events VALUES(7,3,1,'created','requestor',NULL,NULL,'2026-11-18T04:44:36.365Z');
INSERT INTO envelope_events VALUES(8,4,1,'created','requestor',NULL,NULL,'2026-09-20T04:44:36.420Z');
INSERT INTO envelope_events VALUES(9,4,1,'sent','requestor',NULL,NULL,'2026-09-20T04:44:36.420Z');
INSERT INTO envelope_events VALUES(10,4,NULL,'opened','recipient',NULL,NULL,'2026-10-02T19:08:36.420Z');
INSERT INTO envelope_events VALUES(11,4,NULL,'submitted','recipient',NULL,NULL,'2026-10-15T09:32:36.420Z');
INSERT INTO envelope_events VALUES(12,5,1,'created','requestor',NULL,NULL,'2026-09-28T04:44:36.467Z');
INSERT INTO envelope_events VALUES(13,5,1,'sent','requestor',NULL,NULL,'2026-09-28T04:44:36.467Z');
INSERT INTO envelope_events VALUES(14,5,NULL,'opened','recipient',NULL,NULL,'2026-10-09T04:44:36.467Z');
INSERT INTO envelope_events VALUES(15,5,NULL,'submitted','recipient',NULL,NULL,'2026-10-20T04:44:36.467Z');
INSERT INTO envelope_events VALUES(16,6,1,'created','requestor',NULL,NULL,'2026-11-16T04:44:36.476Z');
INSERT INTO envelope_events VALUES(17,6,1,'sent','requestor',NULL,NULL,'2026-11-16T04:44:36.476Z');
INSERT INTO envelope_events VALUES(18,7,1,'created','requestor',NULL,NULL,'2026-11-22T04:44:36.482Z');
INSERT INTO envelope_events VALUES(19,8,1,'created','requestor',NULL,NULL,'2026-09-03T04:44:36.519Z');
INSERT INTO envelope_events VALUES(20,8,1,'sent','requestor',NULL,NULL,'2026-09-03T04:44:36.519Z');
INSERT INTO envelope_events VALUES(21,8,NULL,'expired','service',NULL,NULL,'2026-11-02T23:59:59.999Z');
INSERT INTO envelope_events VALUES(22,9,1,'created','requestor',NULL,NULL,'2026-11-20T04:44:36.562Z');
INSERT INTO envelope_events VALUES(23,9,1,'sent','requestor',NULL,NULL,'2026-11-20T04:44:36.562Z');
INSERT INTO envelope_events VALUES(24,10,1,'created','requestor',NULL,NULL,'2026-10-19T04:44:36.601Z');
INSERT INTO envelope_events VALUES(25,10,1,'sent','requestor',NULL,NULL,'2026-10-19T04:44:36.601Z');
INSERT INTO envelope_events VALUES(26,10,NULL,'opened','recipient',NULL,NULL,'2026-10-25T23:56:36.601Z');
INSERT INTO envelope_events VALUES(27,10,NULL,'submitted','recipient',NULL,NULL,'2026-11-01T19:08:36.601Z');
INSERT INTO envelope_events VALUES(28,11,1,'created','requestor',NULL,NULL,'2026-11-21T04:44:36.665Z');
INSERT INTO envelope_events VALUES(29,11,1,'sent','requestor',NULL,NULL,'2026-11-21T04:44:36.665Z');
INSERT INTO envelope_events VALUES(30,12,1,'created','requestor',NULL,NULL,'2026-11-01T04:44:36.707Z');
INSERT INTO envelope_events VALUES(31,12,1,'sent','requestor',NULL,NULL,'2026-11-01T04:44:36.707Z');
INSERT INTO envelope_events VALUES(32,12,NULL,'opened','recipient',NULL,NULL,'2026-11-05T09:32:36.707Z');
INSERT INTO envelope_events VALUES(33,12,NULL,'submitted','recipient',NULL,NULL,'2026-11-09T14:20:36.707Z');
INSERT INTO envelope_events VALUES(34,13,1,'created','requestor',NULL,NULL,'2026-11-19T04:44:36.796Z');
INSERT INTO envelope_events VALUES(35,13,1,'sent','requestor',NULL,NULL,'2026-11-19T04:44:36.796Z');
CREATE TABLE `documents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`template_id` integer NOT NULL,
	`request_id` integer NOT NULL,
	`customer_email` text NOT NULL,
	`data` text NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`template_id`) REFERENCES `templates`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO documents VALUES(1,1,2,1,'wei.zhang@example.com','{"title":"Document Request for Wei Zhang"}','completed','2026-10-13T04:44:36.268Z');
INSERT INTO documents VALUES(2,1,2,2,'yuki.tanaka@example.com','{"title":"Document Request for Yuki Tanaka"}','pending','2026-11-21T04:44:36.352Z');
INSERT INTO documents VALUES(3,1,4,3,'claire.fontaine@example.com','{"title":"Document Request for Claire Fontaine"}','draft','2026-11-18T04:44:36.365Z');
INSERT INTO documents VALUES(4,1,3,4,'mateo.alvarez@example.com','{"title":"Document Request for Mateo Alvarez"}','completed','2026-09-20T04:44:36.420Z');
INSERT INTO documents VALUES(5,1,1,5,'olivia.brown@example.com','{"title":"Document Request for Olivia Brown"}','completed','2026-09-28T04:44:36.467Z');
INSERT INTO documents VALUES(6,1,4,6,'yuki.tanaka@example.com','{"title":"Document Request for Yuki Tanaka"}','pending','2026-11-16T04:44:36.476Z');
INSERT INTO documents VALUES(7,1,2,7,'jonas.becker@example.com','{"title":"Document Request for Jonas Becker"}','draft','2026-11-22T04:44:36.482Z');
INSERT INTO documents VALUES(8,1,1,8,'claire.fontaine@example.com','{"title":"Document Request for Claire Fontaine"}','expired','2026-09-03T04:44:36.519Z');
INSERT INTO documents VALUES(9,1,3,9,'priya.raman@example.com','{"title":"Document Request for Priya Raman"}','pending','2026-11-20T04:44:36.562Z');
INSERT INTO documents VALUES(10,1,3,10,'priya.raman@example.com','{"title":"Document Request for Priya Raman"}','completed','2026-10-19T04:44:36.601Z');
INSERT INTO documents VALUES(11,1,2,11,'wei.zhang@example.com','{"title":"Document Request for Wei Zhang"}','pending','2026-11-21T04:44:36.665Z');
INSERT INTO documents VALUES(12,1,2,12,'ingrid.sorensen@example.com','{"title":"Document Request for Ingrid Sørensen"}','completed','2026-11-01T04:44:36.707Z');
INSERT INTO documents VALUES(13,1,1,13,'mateo.alvarez@example.com','{"title":"Document Request for Mateo Alvarez"}','pending','2026-11-19T04:44:36.796Z');
CREATE TABLE `request_documents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`request_id` integer NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`required` integer DEFAULT false NOT NULL,
	`allowed_file_types` text NOT NULL,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO request_documents VALUES(1,1,0,'Passport or identity card','Both sides',1,'["pdf","jpg","jpeg","png"]');
INSERT INTO request_documents VALUES(2,1,1,'Signed mandate',NULL,1,'["pdf"]');
INSERT INTO request_documents VALUES(3,1,2,'Company register extract',NULL,0,'["pdf"]');
INSERT INTO request_documents VALUES(4,2,0,'Passport or identity card','Both sides',1,'["pdf","jpg","jpeg","png"]');
INSERT INTO request_documents VALUES(5,2,1,'Signed mandate',NULL,1,'["pdf"]');
INSERT INTO request_documents VALUES(6,2,2,'Company register extract',NULL,0,'["pdf"]');
INSERT INTO request_documents VALUES(7,3,0,'Proof of income','The last three months',1,'["pdf","doc","docx"]');
INSERT INTO request_documents VALUES(8,3,1,'Landlord reference',NULL,0,'["pdf","doc","docx"]');
INSERT INTO request_documents VALUES(9,4,0,'Bank statements',NULL,1,'["pdf","csv"]');
INSERT INTO request_documents VALUES(10,4,1,'Receipts',NULL,1,'["pdf","jpg","jpeg","png","zip"]');
INSERT INTO request_documents VALUES(11,5,0,'Income statement','The one your employer or platform sent',1,'["pdf","doc","docx"]');
INSERT INTO request_documents VALUES(12,5,1,'Bank interest certificate',NULL,1,'["pdf","jpg","jpeg","png"]');
INSERT INTO request_documents VALUES(13,5,2,'Donation receipts','All in one file, please',0,'["pdf","jpg","jpeg","png"]');
INSERT INTO request_documents VALUES(14,6,0,'Proof of income','The last three months',1,'["pdf","doc","docx"]');
INSERT INTO request_documents VALUES(15,6,1,'Landlord reference',NULL,0,'["pdf","doc","docx"]');
INSERT INTO request_documents VALUES(16,7,0,'Passport or identity card','Both sides',1,'["pdf","jpg","jpeg","png"]');
INSERT INTO request_documents VALUES(17,7,1,'Signed mandate',NULL,1,'["pdf"]');
INSERT INTO request_documents VALUES(18,7,2,'Company register extract',NULL,0,'["pdf"]');
INSERT INTO request_documents VALUES(19,8,0,'Income statement','The one your employer or platform sent',1,'["pdf","doc","docx"]');
INSERT INTO request_documents VALUES(20,8,1,'Bank interest certificate',NULL,1,'["pdf","jpg","jpeg","png"]');
INSERT INTO request_documents VALUES(21,8,2,'Donation receipts','All in one file, please',0,'["pdf","jpg","jpeg","png"]');
INSERT INTO request_documents VALUES(22,9,0,'Bank statements',NULL,1,'["pdf","csv"]');
INSERT INTO request_documents VALUES(23,9,1,'Receipts',NULL,1,'["pdf","jpg","jpeg","png","zip"]');
INSERT INTO request_documents VALUES(24,10,0,'Bank statements',NULL,1,'["pdf","csv"]');
INSERT INTO request_documents VALUES(25,10,1,'Receipts',NULL,1,'["pdf","jpg","jpeg","png","zip"]');
INSERT INTO request_documents VALUES(26,11,0,'Passport or identity card','Both sides',1,'["pdf","jpg","jpeg","png"]');
INSERT INTO request_documents VALUES(27,11,1,'Signed mandate',NULL,1,'["pdf"]');
INSERT INTO request_documents VALUES(28,11,2,'Company register extract',NULL,0,'["pdf"]');
INSERT INTO request_documents VALUES(29,12,0,'Passport or identity card','Both sides',1,'["pdf","jpg","jpeg","png"]');
INSERT INTO request_documents VALUES(30,12,1,'Signed mandate',NULL,1,'["pdf"]');
INSERT INTO request_documents VALUES(31,12,2,'Company register extract',NULL,0,'["pdf"]');
INSERT INTO request_documents VALUES(32,13,0,'Income statement','The one your employer or platform sent',1,'["pdf","doc","docx"]');
INSERT INTO request_documents VALUES(33,13,1,'Bank interest certificate',NULL,1,'["pdf","jpg","jpeg","png"]');
INSERT INTO request_documents VALUES(34,13,2,'Donation receipts','All in one file, please',0,'["pdf","jpg","jpeg","png"]');
CREATE TABLE `requests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`workspace_id` integer NOT NULL,
	`contact_id` integer,
	`template_id` integer,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`customer_email` text NOT NULL,
	`submission_token` text NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`is_draft` integer DEFAULT false NOT NULL,
	`recipient_name` text,
	`recipient_phone` text,
	`country_code` text DEFAULT '+1' NOT NULL,
	`notification_preference` text DEFAULT 'email' NOT NULL,
	`reminder_frequency` text DEFAULT 'none' NOT NULL,
	`expiration_date` text,
	`subject` text,
	`message` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`sent_at` text,
	`completed_at` text,
	`next_reminder_at` text,
	`deletion_noticed_at` text,
	`files_deleted_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`template_id`) REFERENCES `templates`(`id`) ON UPDATE no action ON DELETE set null
);
INSERT INTO requests VALUES(1,1,2,3,2,'Document Request for Wei Zhang','Please upload the requested documents.','wei.zhang@example.com','roGJczULLHwTx8UR1UnnIVjpe5RH9WLr7Q-Oejn6kvc','completed',0,'Wei Zhang','+8613800138000','+1','email','none',NULL,'Before your first day',NULL,'2026-10-13T04:44:36.268Z','2026-10-29T04:44:36.268Z','2026-10-13T04:44:36.268Z','2026-10-29T04:44:36.268Z',NULL,NULL,NULL);
INSERT INTO requests VALUES(2,1,2,7,2,'Document Request for Yuki Tanaka','Please upload the requested documents.','yuki.tanaka@example.com','YSxxWQs1BMnS9yxFWci1bXFuqvfi73oyJIhHNWjvgLk','pending',0,'Yuki Tanaka',NULL,'+1','email','none','2026-12-06','Before your first day',NULL,'2026-11-21T04:44:36.352Z','2026-11-21T04:44:36.352Z','2026-11-21T04:44:36.352Z',NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES(3,1,1,5,4,'Document Request for Claire Fontaine','Please upload the requested documents.','claire.fontaine@example.com','F8ePJ8jvdG8SrjXSNM_N4Z1OpCvAbaxzNgj-3bOW7gI','draft',1,'Claire Fontaine','+33142685300','+1','email','none',NULL,'Reference from your last landlord',NULL,'2026-11-18T04:44:36.365Z','2026-11-18T04:44:36.365Z',NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES(4,1,1,1,3,'Document Request for Mateo Alvarez','Please upload the requested documents.','mateo.alvarez@example.com','eL058rHJS-pwfvviQf0EaBoaMyJObPjjZ-Hwpuo3lNk','completed',0,'Mateo Alvarez','+15550170011','+1','email','none',NULL,'Bookkeeping for September',NULL,'2026-09-20T04:44:36.420Z','2026-10-15T09:32:36.420Z','2026-09-20T04:44:36.420Z','2026-10-15T09:32:36.420Z',NULL,NULL,NULL);
INSERT INTO requests VALUES(5,1,1,8,1,'Document Request for Olivia Brown','Please upload the requested documents.','olivia.brown@example.com','9Nqr8aFSjO4rrjl4wou0dQJWvtsApkqVxcJA6yiR9SE','completed',0,'Olivia Brown','+61291234567','+1','email','none',NULL,'Your tax return',NULL,'2026-09-28T04:44:36.467Z','2026-10-20T04:44:36.467Z','2026-09-28T04:44:36.467Z','2026-10-20T04:44:36.467Z',NULL,NULL,NULL);
INSERT INTO requests VALUES(6,1,1,7,4,'Document Request for Yuki Tanaka','Please upload the requested documents.','yuki.tanaka@example.com','E05GEYEUr-U2yEIEis8Wf_mpuqd_8AgGJmo7npeoA6w','pending',0,'Yuki Tanaka',NULL,'+1','email','monthly',NULL,'Your application for Elm Street 12',NULL,'2026-11-16T04:44:36.476Z','2026-11-16T04:44:36.476Z','2026-11-16T04:44:36.476Z',NULL,'2026-12-16T04:44:36.476Z',NULL,NULL);
INSERT INTO requests VALUES(7,1,1,6,2,'Document Request for Jonas Becker','Please upload the requested documents.','jonas.becker@example.com','7CgrN6coodo_wWjlA25mVxiP92OTYln7Btxs6rvr0pc','draft',1,'Jonas Becker','+493012345678','+1','email','none',NULL,'Neue Mandatsunterlagen für die Umstrukturierung der Gesellschaft',NULL,'2026-11-22T04:44:36.482Z','2026-11-22T04:44:36.482Z',NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES(8,1,1,5,1,'Document Request for Claire Fontaine','Please upload the requested documents.','claire.fontaine@example.com','VkTAf5PhTU6GEkbEvpUSdJNyXfN0_I4qu-sa48OLUyc','expired',0,'Claire Fontaine','+33142685300','+1','email','none','2026-11-02','Documents for last year''s return',NULL,'2026-09-03T04:44:36.519Z','2026-09-03T04:44:36.519Z','2026-09-03T04:44:36.519Z',NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES(9,1,1,4,3,'Document Request for Priya Raman','Please upload the requested documents.','priya.raman@example.com','g-bJMIpu-t4sxFMVFJNdIE0_eQ9tyJOdQhFcPIEaW6A','pending',0,'Priya Raman','+919876543210','+1','email','weekly','2026-12-01','Bookkeeping for November',NULL,'2026-11-20T04:44:36.562Z','2026-11-20T04:44:36.562Z','2026-11-20T04:44:36.562Z',NULL,'2026-11-27T04:44:36.562Z',NULL,NULL);
INSERT INTO requests VALUES(10,1,1,4,3,'Document Request for Priya Raman','Thank you for being quick last month.','priya.raman@example.com','s_vX1h1xDidKjN0DPfKJ_LRuCSqfnqs0IrCHSfhub3M','completed',0,'Priya Raman','+919876543210','+1','email','none',NULL,'Bookkeeping for October','Thank you for being quick last month.','2026-10-19T04:44:36.601Z','2026-11-01T19:08:36.601Z','2026-10-19T04:44:36.601Z','2026-11-01T19:08:36.601Z',NULL,NULL,NULL);
INSERT INTO requests VALUES(11,1,1,3,2,'Document Request for Wei Zhang','Please upload the requested documents.','wei.zhang@example.com','ThZZlBVRnEWyNsYJ0llsN5ENW1pwYk9wqEYn1woQYMU','pending',0,'Wei Zhang','+8613800138000','+1','email','daily','2026-12-22','Opening your file with us',NULL,'2026-11-21T04:44:36.665Z','2026-11-21T04:44:36.665Z','2026-11-21T04:44:36.665Z',NULL,'2026-11-23T04:44:36.665Z',NULL,NULL);
INSERT INTO requests VALUES(12,1,1,2,2,'Document Request for Ingrid Sørensen','Please upload the requested documents.','ingrid.sorensen@example.com','iYZlfH-Dt1hQXEOWkXDs4Qnqm7HwAewLf7ngjVRn184','completed',0,'Ingrid Sørensen','+442079460018','+1','email','none',NULL,'Welcome to Holm & Partners',NULL,'2026-11-01T04:44:36.707Z','2026-11-09T14:20:36.707Z','2026-11-01T04:44:36.707Z','2026-11-09T14:20:36.707Z',NULL,NULL,NULL);
INSERT INTO requests VALUES(13,1,1,1,1,'Document Request for Mateo Alvarez','Dear Mateo, it is that time of the year again. Photographs are fine as long as they can be read.','mateo.alvarez@example.com','f02uqCXQQOCoOUFJTFt3cZ1PAyRQXfT8RiNR2zvJ9MI','pending',0,'Mateo Alvarez','+15550170011','+1','email','weekly','2026-12-04','Your tax return','Dear Mateo, it is that time of the year again. Photographs are fine as long as they can be read.','2026-11-19T04:44:36.796Z','2026-11-19T04:44:36.796Z','2026-11-19T04:44:36.796Z',NULL,'2026-11-26T04:44:36.796Z',NULL,NULL);
CREATE TABLE `submissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`envelope_id` integer NOT NULL,
	`request_document_id` integer,
	`document_name` text NOT NULL,
	`file_path` text NOT NULL,
	`file_name` text NOT NULL,
	`file_size` integer NOT NULL,
	`mime_type` text NOT NULL,
	`created_at` text NOT NULL,
	`deleted_at` text,
	`scan_due_at` text,
	`virus` text,
	FOREIGN KEY (`envelope_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`request_document_id`) REFERENCES `request_documents`(`id`) ON UPDATE no action ON DELETE set null
);
INSERT INTO submissions VALUES(1,1,1,'Passport or identity card','MbGtfbpP0Mz5rZmnYZRZjQ0b.pdf','passport-or-identity-card.pdf',600,'application/pdf','2026-10-29T04:44:36.268Z',NULL,NULL,NULL);
INSERT INTO submissions VALUES(2,1,2,'Signed mandate','gaav7jLibaIpXBH7P0atipsP.pdf','signed-mandate.pdf',589,'application/pdf','2026-10-29T04:44:36.268Z',NULL,NULL,NULL);
INSERT INTO submissions VALUES(3,1,3,'Company register extract','wPlHiJ1LvPnweKBDoIZjsX_0.pdf','company-register-extract.pdf',599,'application/pdf','2026-10-29T04:44:36.268Z',NULL,NULL,NULL);
INSERT INTO submissions VALUES(4,4,9,'Bank statements','9ErNY70bdZv4vUd6g9qV3O_2.pdf','bank-statements.pdf',590,'application/pdf','2026-10-15T09:32:36.420Z',NULL,NULL,NULL);
INSERT INTO submissions VALUES(5,4,10,'Receipts','q24e5jU9iXoZHsPR03Smulye.pdf','receipts.pdf',583,'application/pdf','2026-10-15T09:32:36.420Z',NULL,NULL,NULL);
INSERT INTO submissions VALUES(6,5,11,'Income statement','bF67lRziwZjkNT7rgNL16dCE.pdf','income-statement.pdf',591,'application/pdf','2026-10-20T04:44:36.467Z',NULL,NULL,NULL);
INSERT INTO submissions VALUES(7,5,12,'Bank interest certificate','H2TzfJFIXWUSA-1lj3Io-gI4.pdf','bank-interest-certificate.pdf',600,'application/pdf','2026-10-20T04:44:36.467Z',NULL,NULL,NULL);
INSERT INTO submissions VALUES(8,5,13,'Donation receipts','gk5-VZgd9YG1-pE-idLF3Gcc.pdf','donation-receipts.pdf',592,'application/pdf','2026-10-20T04:44:36.467Z',NULL,NULL,NULL);
INSERT INTO submissions VALUES(9,10,24,'Bank statements','RO7GnYekeIAVaZTZg3Vb8Z1V.pdf','bank-statements.pdf',590,'application/pdf','2026-11-01T19:08:36.601Z',NULL,NULL,NULL);
INSERT INTO submissions VALUES(10,10,25,'Receipts','_hSKKLaSY1QqhM1Y8ihwVKDb.pdf','receipts.pdf',583,'application/pdf','2026-11-01T19:08:36.601Z',NULL,NULL,NULL);
INSERT INTO submissions VALUES(11,12,29,'Passport or identity card','iCvxALYd0J9ZyX53RAUAr76H.pdf','passport-or-identity-card.pdf',600,'application/pdf','2026-11-09T14:20:36.707Z',NULL,NULL,NULL);
INSERT INTO submissions VALUES(12,12,30,'Signed mandate','7usLQPpOk_cDTf3p3HJxv9-3.pdf','signed-mandate.pdf',589,'application/pdf','2026-11-09T14:20:36.707Z',NULL,NULL,NULL);
INSERT INTO submissions VALUES(13,12,31,'Company register extract','1gXZ3U2BXoVO-jl3YdPFYc0K.pdf','company-register-extract.pdf',599,'application/pdf','2026-11-09T14:20:36.707Z',NULL,NULL,NULL);
CREATE TABLE `integrations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`status` text DEFAULT 'disconnected' NOT NULL,
	`config` text DEFAULT '{}' NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `job_runs` (
	`job` text PRIMARY KEY NOT NULL,
	`hour` text NOT NULL
);
CREATE TABLE `notifications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer,
	`request_id` integer,
	`kind` text NOT NULL,
	`channel` text NOT NULL,
	`recipient` text NOT NULL,
	`payload` text NOT NULL,
	`dedupe_key` text NOT NULL,
	`status` text DEFAULT 'queued' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` text NOT NULL,
	`claimed_by` text,
	`claimed_until` text,
	`last_error` text,
	`failure` text,
	`created_at` text NOT NULL,
	`sent_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `rate_limits` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`reset_at` text NOT NULL
);
CREATE TABLE `removed_files` (
	`key` text PRIMARY KEY NOT NULL,
	`removed_at` text NOT NULL
);
CREATE TABLE `templates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`workspace_id` integer NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`fields` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO templates VALUES(1,1,1,'Annual tax return','What we need from each client in January','[{"name":"Income statement","description":"The one your employer or platform sent","required":true,"allowedFileTypes":["pdf","doc","docx"]},{"name":"Bank interest certificate","description":null,"required":true,"allowedFileTypes":["pdf","jpg","jpeg","png"]},{"name":"Donation receipts","description":"All in one file, please","required":false,"allowedFileTypes":["pdf","jpg","jpeg","png"]}]','2026-08-24T04:44:35.341Z');
INSERT INTO templates VALUES(2,1,1,'New client','Identity and mandate','[{"name":"Passport or identity card","description":"Both sides","required":true,"allowedFileTypes":["pdf","jpg","jpeg","png"]},{"name":"Signed mandate","description":null,"required":true,"allowedFileTypes":["pdf"]},{"name":"Company register extract","description":null,"required":false,"allowedFileTypes":["pdf"]}]','2026-08-24T04:44:35.341Z');
INSERT INTO templates VALUES(3,1,1,'Monthly bookkeeping',NULL,'[{"name":"Bank statements","description":null,"required":true,"allowedFileTypes":["pdf","csv"]},{"name":"Receipts","description":null,"required":true,"allowedFileTypes":["pdf","jpg","jpeg","png","zip"]}]','2026-08-24T04:44:35.341Z');
INSERT INTO templates VALUES(4,1,1,'Apartment application','For landlords among our clients','[{"name":"Proof of income","description":"The last three months","required":true,"allowedFileTypes":["pdf","doc","docx"]},{"name":"Landlord reference","description":null,"required":false,"allowedFileTypes":["pdf","doc","docx"]}]','2026-08-24T04:44:35.341Z');
CREATE TABLE `identities` (
	`provider` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`provider`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `password_resets` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `sessions` (
	`sid` text PRIMARY KEY NOT NULL,
	`sess` text NOT NULL,
	`expire` text NOT NULL,
	`user_id` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`password` text NOT NULL,
	`first_name` text,
	`last_name` text,
	`company_name` text,
	`avatar_url` text,
	`avatar_mime_type` text,
	`avatar_size` integer,
	`phone_number` text,
	`username` text,
	`theme_preference` text DEFAULT 'system' NOT NULL,
	`language_preference` text DEFAULT 'en' NOT NULL,
	`onboarding_completed` integer DEFAULT false NOT NULL,
	`usage_type` text,
	`document_type` text,
	`is_verified` integer DEFAULT false NOT NULL,
	`verification_token` text,
	`verification_expiry` text,
	`created_at` text NOT NULL
);
INSERT INTO users VALUES(1,'demo@example.com','$scrypt$ln=14,r=8,p=5$bDGpGkq9Z0CyfjsMxcMolA$Qkn5faiek5swh3vbK6CHGxYP0ebo3eUWAyLaGjJNPvQ','Astrid','Holm','Holm & Partners Accounting',NULL,NULL,NULL,'+15550142368',NULL,'system','en',1,NULL,NULL,1,NULL,NULL,'2026-08-24T04:44:35.341Z');
CREATE TABLE `workspaces` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`user_id` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`retention_days` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO workspaces VALUES(1,'My Workspace','Clients of the practice',1,'2026-08-24T04:44:35.341Z','2026-08-24T04:44:35.341Z',NULL);
INSERT INTO workspaces VALUES(2,'Hiring','Papers of people who are about to join',1,'2026-08-24T04:44:35.341Z','2026-08-24T04:44:35.341Z',NULL);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('users',1);
INSERT INTO sqlite_sequence VALUES('workspaces',2);
INSERT INTO sqlite_sequence VALUES('contacts',8);
INSERT INTO sqlite_sequence VALUES('templates',4);
INSERT INTO sqlite_sequence VALUES('requests',13);
INSERT INTO sqlite_sequence VALUES('envelope_events',35);
INSERT INTO sqlite_sequence VALUES('request_documents',34);
INSERT INTO sqlite_sequence VALUES('documents',13);
INSERT INTO sqlite_sequence VALUES('submissions',13);
CREATE INDEX `contacts_user` ON `contacts` (`user_id`);
CREATE INDEX `contacts_workspace` ON `contacts` (`workspace_id`,`user_id`);
CREATE INDEX `envelope_events_request` ON `envelope_events` (`request_id`);
CREATE INDEX `envelope_events_user` ON `envelope_events` (`user_id`);
CREATE UNIQUE INDEX `envelope_events_opened` ON `envelope_events` (`request_id`) WHERE kind = 'opened';
CREATE INDEX `documents_user` ON `documents` (`user_id`);
CREATE INDEX `documents_template` ON `documents` (`template_id`);
CREATE UNIQUE INDEX `documents_request` ON `documents` (`request_id`);
CREATE INDEX `request_documents_request` ON `request_documents` (`request_id`,`position`);
CREATE UNIQUE INDEX `requests_submissionToken_unique` ON `requests` (`submission_token`);
CREATE INDEX `requests_user` ON `requests` (`user_id`);
CREATE INDEX `requests_workspace` ON `requests` (`workspace_id`,`user_id`);
CREATE INDEX `requests_contact` ON `requests` (`contact_id`);
CREATE INDEX `requests_template` ON `requests` (`template_id`);
CREATE INDEX `requests_expiring` ON `requests` (`expiration_date`) WHERE status = 'pending';
CREATE INDEX `requests_reminding` ON `requests` (`next_reminder_at`) WHERE status = 'pending';
CREATE INDEX `requests_keeping` ON `requests` (`workspace_id`,`completed_at`) WHERE status = 'completed' and files_deleted_at is null;
CREATE UNIQUE INDEX `submissions_filePath_unique` ON `submissions` (`file_path`);
CREATE INDEX `submissions_held` ON `submissions` (`scan_due_at`) WHERE scan_due_at is not null;
CREATE INDEX `submissions_envelope` ON `submissions` (`envelope_id`);
CREATE INDEX `submissions_request_document` ON `submissions` (`request_document_id`);
CREATE INDEX `integrations_user` ON `integrations` (`user_id`);
CREATE UNIQUE INDEX `notifications_dedupeKey_unique` ON `notifications` (`dedupe_key`);
CREATE INDEX `notifications_due` ON `notifications` (`status`,`next_attempt_at`);
CREATE INDEX `notifications_request` ON `notifications` (`request_id`);
CREATE INDEX `notifications_user` ON `notifications` (`user_id`);
CREATE INDEX `notifications_account` ON `notifications` (`created_at`) WHERE request_id is null;
CREATE INDEX `rate_limits_reset` ON `rate_limits` (`reset_at`);
CREATE INDEX `templates_user` ON `templates` (`user_id`);
CREATE INDEX `templates_workspace` ON `templates` (`workspace_id`,`user_id`);
CREATE INDEX `identities_user` ON `identities` (`user_id`);
CREATE INDEX `password_resets_user` ON `password_resets` (`user_id`);
CREATE INDEX `password_resets_expires` ON `password_resets` (`expires_at`);
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);
CREATE INDEX `sessions_expire` ON `sessions` (`expire`);
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);
CREATE INDEX `users_verification_token` ON `users` (`verification_token`);
CREATE INDEX `users_avatar_url` ON `users` (`avatar_url`);
CREATE INDEX `workspaces_user` ON `workspaces` (`user_id`);
CREATE INDEX `workspaces_retaining` ON `workspaces` (`retention_days`) WHERE retention_days is not null;
COMMIT;

-- Of each kind that the demo account has none of.
insert into notifications (user_id, request_id, kind, channel, recipient, payload, dedupe_key, status, next_attempt_at, created_at, sent_at)
  select user_id, id, 'invitation', 'email', customer_email, '{}', 'invitation:' || id, 'sent', sent_at, sent_at, sent_at
  from requests where sent_at is not null;
insert into integrations (user_id, type, name, created_at) values (1, 'crm', 'CRM', '2026-08-24T04:44:35.341Z');
insert into identities values ('google', 'subject', 1, '2026-08-24T04:44:35.341Z');
insert into password_resets values ('hash', 1, '2999-01-01T00:00:00.000Z');
insert into sessions values ('sid', '{}', '2999-01-01T00:00:00.000Z', 1);
insert into rate_limits values ('key', 1, '2999-01-01T00:00:00.000Z');
insert into job_runs values ('reminders', '2026-08-24T04');
insert into removed_files values ('gone.pdf', '2026-08-24T04:44:35.341Z');
