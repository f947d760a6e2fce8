package io.metricsaggregator.report.html;

import io.metricsaggregator.report.markup.Markup;
import java.util.List;

/** The frame of an HTML page, and its tables. */
public final class HtmlPage {
    private static final String STYLE = """
            :root{--fg:#1b1f24;--bg:#fff;--soft:#59636e;--line:#d5dae0;--card:#f6f8fa;--good:#0b6e99;--warn:#8a5a00;--bad:#b3261e}
            @media(prefers-color-scheme:dark){:root{--fg:#e6e9ed;--bg:#0f1216;--soft:#9aa4af;--line:#323a43;--card:#171c22;--good:#5cc0ea;--warn:#e5b34b;--bad:#ff8a80}}
            *{box-sizing:border-box}
            body{margin:0;font:15px/1.45 system-ui,sans-serif;color:var(--fg);background:var(--bg)}
            header,main{max-width:1180px;margin:0 auto;padding:0 16px}
            h1{font-size:1.5rem;margin:24px 0 4px}h2{font-size:1.15rem;margin:28px 0 8px}
            code{font-family:ui-monospace,monospace}
            header p,.small{color:var(--soft);font-size:.87rem}
            .state{font-size:.8rem;padding:3px 8px;border:1px solid;border-radius:6px;vertical-align:middle}
            .good{color:var(--good)}.warn,.remark{color:var(--warn)}.bad{color:var(--bad)}.unknown{color:var(--soft)}
            .verdict{font-size:1.15rem;font-weight:600;margin:4px 0 8px}
            .findings{padding-left:0;list-style:none}.findings li{margin:4px 0}
            .mark{display:inline-block;min-width:5.5em;font-size:.8rem;text-transform:uppercase}
            .tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:10px;margin:16px 0}
            .tiles div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 12px}
            .tiles b{display:block;font-size:1.2rem;overflow-wrap:anywhere}.tiles span{color:var(--soft);font-size:.85rem}
            .scroll{overflow-x:auto}
            table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
            th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
            th:first-child,td:first-child{text-align:left}
            th.t{text-align:left}
            td.t{text-align:left;white-space:normal;overflow-wrap:break-word;min-width:8em}
            th{color:var(--soft);font-weight:600}
            .plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(520px,100%),1fr));gap:14px}
            figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:6px}
            svg{width:100%;height:auto;display:block}
            svg text{font:12px system-ui,sans-serif;fill:var(--fg)}
            .g{stroke:var(--line);fill:none}.a{stroke:var(--soft);fill:none}
            dt{font-weight:600}dd{margin:0 0 6px 0;color:var(--soft)}
            summary{cursor:pointer}
            footer{max-width:1180px;margin:32px auto;padding:0 16px;color:var(--soft);font-size:.82rem}
            @media print{figure,.tiles div{break-inside:avoid}}
            """;

    private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'";
    private static final String FOOTER =
            "Rendered by metrics-aggregator from one snapshot: tables and plots show the same numbers.";

    private HtmlPage() {}

    /**
     * A complete page of one run, whose content security policy forbids scripts and external resources.
     *
     * @param header the heading of the page; empty for none
     * @param main the sections
     */
    public static String render(String title, Markup header, Markup main) {
        return render(title, header, main, FOOTER);
    }

    /**
     * A complete page with a footer of its own.
     *
     * @param header the heading of the page; empty for none
     * @param main the sections
     */
    public static String render(String title, Markup header, Markup main, String footer) {
        return new Markup()
                .doctype()
                .open("html", "lang", "en")
                .open("head")
                .empty("meta", "charset", "utf-8")
                .empty("meta", "http-equiv", "Content-Security-Policy", "content", POLICY)
                .empty("meta", "name", "viewport", "content", "width=device-width,initial-scale=1")
                .empty("meta", "name", "referrer", "content", "no-referrer")
                .empty("meta", "name", "color-scheme", "content", "light dark")
                .element("title", title)
                .stylesheet(STYLE)
                .close()
                .open("body")
                .add(header)
                .open("main")
                .add(main)
                .close()
                .element("footer", footer)
                .close()
                .close()
                .lineBreak()
                .toString();
    }

    /** Appends a table. Cells with a single figure are right-aligned, other cells are set as text. */
    public static void table(Markup out, List<String> head, List<List<String>> rows) {
        out.open("div", "class", "scroll").open("table");
        if (head.stream().anyMatch(each -> !each.isEmpty())) {
            out.open("thead").open("tr");
            head.forEach(each -> out.element("th", each));
            out.close().close();
        }
        out.open("tbody");
        for (List<String> row : rows) {
            out.open("tr");
            for (String cell : row) {
                boolean figure = cell.isEmpty() || cell.matches("[-≈~ ]*[\\d.,]+( \\S{1,3}| \\?)?( \\(.*\\))?|-");
                if (figure) {
                    out.element("td", cell);
                } else {
                    out.element("td", cell, "class", "t");
                }
            }
            out.close();
        }
        out.close().close().close();
    }
}
