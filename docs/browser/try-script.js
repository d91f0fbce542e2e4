/** The script of the page that sends requests, embedded in it behind Swagger UI. */
{
  const spec = JSON.parse(document.getElementById('contract')?.textContent ?? '');
  // A server of this API serves the page at /try, below its base address.
  const [, served] = /^(https?:.*)\/try$/.exec(location.origin + location.pathname) ?? [];
  if (served !== undefined) spec.servers[0].variables.base_url.default = served;
  else document.getElementById('docs')?.setAttribute('href', 'index.html');
  document.getElementById('origin')?.append(location.origin);
  // A link from the docs names an operation, which Swagger UI takes behind "#".
  if (location.search !== '') history.replaceState(null, '', `${location.pathname}#/${location.search.slice(1)}`);
  const { specActions } = /** @type {any} */ (globalThis).SwaggerUIBundle({
    spec,
    dom_id: '#console',
    deepLinking: true,
    docExpansion: 'none',
    tryItOutEnabled: true,
    // No form of the contract is sent to another host to be checked, and no token is written to the disk.
    validatorUrl: null,
    persistAuthorization: false,
    // They are on the page of the docs.
    defaultModelsExpandDepth: -1,
  });
  // Nothing is read from there; without it, references do not resolve in a file.
  specActions.updateUrl(spec.servers[0].variables.base_url.default);
}
