import type { EnvelopeRow } from "../../../worker/contract/envelopes";
import type { DocumentsOf } from "./bulk/bulk-actions";
import BulkDialog from "./bulk/bulk-dialog";

type RemindDialogProps = {
  envelopes: readonly EnvelopeRow[];
  /** The documents that the mails list, by envelope; by default all that are missing. */
  documentIds?: DocumentsOf;
  onClose: () => void;
  /** It is shown over another dialog. */
  nested?: boolean;
};

/** Reminds the recipients of one envelope or several, after it has shown the mails. */
export default function RemindDialog(props: RemindDialogProps) {
  return <BulkDialog action="remind" members={[]} onDone={props.onClose} {...props} />;
}
