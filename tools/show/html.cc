#include "tools/show/html.h"

#include "absl/strings/str_cat.h"
#include "tools/show/svg.h"
#include "tools/show/utf8.h"

namespace berth::show {
namespace {

constexpr char kStyle[] = R"(
body { margin: 0; font: 13px Helvetica, Arial, sans-serif; color: #222; }
header { padding: 6px 12px; border-bottom: 1px solid #ddd; display: flex;
         gap: 16px; align-items: center; position: sticky; top: 0;
         background: #fff; }
#detail { white-space: pre; color: #555; }
svg { display: block; cursor: grab; max-width: 100%; height: auto; }
.dim { opacity: 0.15; }
)";

constexpr char kScript[] = R"(
const svg = document.querySelector('svg');
const whole = svg.getAttribute('viewBox').split(' ').map(Number);
let view = whole.slice();
const show = () => svg.setAttribute('viewBox', view.join(' '));
const at = (event) => {
  const box = svg.getBoundingClientRect();
  return [(event.clientX - box.left) / box.width,
          (event.clientY - box.top) / box.height];
};
svg.addEventListener('wheel', (event) => {
  event.preventDefault();
  const [x, y] = at(event);
  const factor = event.deltaY < 0 ? 0.8 : 1.25;
  if (view[2] * factor > whole[2]) { view = whole.slice(); show(); return; }
  view[0] += x * view[2] * (1 - factor);
  view[1] += y * view[3] * (1 - factor);
  view[2] *= factor;
  view[3] *= factor;
  show();
}, {passive: false});
let last = null;
svg.addEventListener('pointerdown', (event) => { last = at(event); });
window.addEventListener('pointerup', () => { last = null; });
svg.addEventListener('pointermove', (event) => {
  if (!last) return;
  const now = at(event);
  view[0] -= (now[0] - last[0]) * view[2];
  view[1] -= (now[1] - last[1]) * view[3];
  last = now;
  show();
});
svg.addEventListener('dblclick', () => { view = whole.slice(); show(); });
const detail = document.getElementById('detail');
svg.addEventListener('click', (event) => {
  const title = event.target.querySelector && event.target.querySelector('title');
  detail.textContent = title ? title.textContent.split('\n').join('   ') : '';
});
const ranges = Array.from(svg.querySelectorAll('.range'));
const names = ranges.map((range) =>
    range.querySelector('title').textContent.split('\n')[0]);
document.getElementById('find').addEventListener('input', (event) => {
  const text = event.target.value;
  ranges.forEach((range, i) =>
      range.classList.toggle('dim', text !== '' && !names[i].includes(text)));
});
)";

}  // namespace

std::string RenderHtml(const MemoryMap& map, const RenderOptions& options) {
  return absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>",
      EscapeXml(map.title), "</title>\n<style>", kStyle,
      "</style>\n</head>\n<body>\n<header><label>find "
      "<input id=\"find\" type=\"search\"></label>"
      "<span id=\"detail\"></span></header>\n",
      RenderSvg(map, options), "<script>", kScript,
      "</script>\n</body>\n</html>\n");
}

}  // namespace berth::show
