/** Keys for Redoc's menus, which open with Enter and have no others. */
export function addKeysToMenus(): void {
  document.addEventListener('keydown', pressInMenu, true);
}

function pressInMenu(event: KeyboardEvent): void {
  const { target, key } = event;
  const button = document.querySelector('button[aria-haspopup="menu"][aria-expanded="true"]');
  if (!(button instanceof HTMLElement) || !(target instanceof HTMLElement)) {
    return;
  }
  const entries = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].filter(
    (entry) => entry.getClientRects().length > 0,
  );
  const at = entries.indexOf(target);
  const isChoice = at >= 0 && (key === 'Enter' || key === ' ');
  if (at < 0 && target !== button) {
    return;
  }
  if (key === 'ArrowDown') {
    entries[(at + 1) % entries.length]?.focus();
  } else if (key === 'ArrowUp') {
    entries.at(at < 0 ? -1 : at - 1)?.focus();
  } else if (key === 'Escape' || isChoice) {
    (isChoice ? target : button).click();
    button.focus();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}
