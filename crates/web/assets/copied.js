// The stock as it was kept: it is searched here.
const search = document.getElementById('search');
search.addEventListener('input', () => {
  const term = search.value.trim().toLowerCase();
  for (const row of document.querySelectorAll('#kept > li')) {
    row.hidden = !row.textContent.toLowerCase().includes(term);
  }
});
