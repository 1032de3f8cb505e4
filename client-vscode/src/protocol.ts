/** The methods of the server's own, see docs/lsp.md. */

export const RUN = "verify/run";
export const GET = "verify/get";
export const LIST = "verify/list";
export const LATEST = "verify/latest";
export const CANCEL = "verify/cancel";
export const TRUST = "verify/trust";
export const EVENT = "verify/event";
export const CHANGED = "verify/changed";
export const COLLECT = "verify/collectDiagnostics";
