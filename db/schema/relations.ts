import { relations } from "drizzle-orm";
import { contacts } from "./contacts";
import { requestDocuments, requests, submissions } from "./envelopes";
import { users } from "./users";

export const requestRelations = relations(requests, ({ one, many }) => ({
  user: one(users, { fields: [requests.userId], references: [users.id] }),
  contact: one(contacts, { fields: [requests.contactId], references: [contacts.id] }),
  documents: many(requestDocuments),
  submissions: many(submissions),
}));

export const requestDocumentRelations = relations(requestDocuments, ({ one }) => ({
  request: one(requests, { fields: [requestDocuments.requestId], references: [requests.id] }),
}));

export const submissionRelations = relations(submissions, ({ one }) => ({
  request: one(requests, { fields: [submissions.envelopeId], references: [requests.id] }),
}));
