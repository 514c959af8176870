// On the page of the contracts, a link hides and shows the details of all contracts. While they are hidden, a click on
// the heading of a contract shows its details.
addEventListener("click", (event) => {
  const text = event.target.closest("a")?.textContent.trim()
  if (text === "Show only the promises, or the details as well") {
    event.preventDefault()
    event.stopPropagation()
    document.documentElement.classList.toggle("folded")
  }
  event.target.closest("h4")?.classList.toggle("open")
}, true)
