// The files of tools/show/page as text. Internal to tools/show.
#ifndef BERTH_TOOLS_SHOW_PAGE_TEXT_H_
#define BERTH_TOOLS_SHOW_PAGE_TEXT_H_

namespace berth::show {

extern const char kPageStyle[];
extern const char kPageScript[];

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_PAGE_TEXT_H_
