/** The methods of the server's own, see docs/lsp.md. */

export const RUN = "verify/run";
export const GET = "verify/get";
export const LIST = "verify/list";
export const LATEST = "verify/latest";
export const CANCEL = "verify/cancel";
export const MUTANT = "verify/mutant";
export const TRUST = "verify/trust";
export const EVENT = "verify/event";
export const CHANGED = "verify/changed";
export const COLLECT = "verify/collectDiagnostics";

/** Commands of the server's that an editor with views and a clipboard does better. */
export const SHOW_MUTANT = "verify_show_mutant";
export const BRIEF_MUTANT = "verify_brief_mutant";
