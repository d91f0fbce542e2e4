/** The page's own script, which runs before Redoc's. */
import { improveCopyButtons, offerCopies } from './copy.ts';
import { addSkipLink, improveLandmarks } from './landmarks.ts';
import { addKeysToMenus } from './menus.ts';
import { offerOrigins } from './origins.ts';
import { serveRedoc } from './redoc.ts';
import { improveSearchTrigger, offerSearch } from './search-dialog.ts';
import { offerWholeDocument } from './whole.ts';

serveRedoc();
offerOrigins();
addSkipLink();
offerCopies();
offerSearch();
offerWholeDocument();
addKeysToMenus();

// Redoc renders a part of the page when it becomes visible.
function improve(): void {
  improveCopyButtons();
  improveLandmarks();
  improveSearchTrigger();
}
new MutationObserver(improve).observe(document.body, {
  childList: true,
  subtree: true,
  attributeFilter: ['data-active'],
});
