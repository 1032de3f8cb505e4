/** The panel's page: a frame without any text of others, which comes by message. */

export interface PageParts {
  cspSource: string;
  nonce: string;
  script: string;
  style: string;
}

export function pageHtml({ cspSource, nonce, script, style }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `style-src ${cspSource}`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Proof</title>
</head>
<body>
<p id="news" role="status" aria-live="polite" class="unseen"></p>
<main id="proof" tabindex="-1"><h1>Proof</h1><p>Waiting for the report.</p></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
