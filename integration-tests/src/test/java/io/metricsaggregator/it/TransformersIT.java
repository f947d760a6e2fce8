package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.template.Template;
import io.metricsaggregator.template.TemplateException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Chat templates of published models, rendered by transformers' own {@code apply_chat_template} and by this project. */
class TransformersIT {
    /** Templates without which the comparison is meaningless. */
    private static final int TEMPLATES_MIN = 20;

    @BeforeEach
    void needsPython() {
        Python.require();
    }

    private static void require(String module, String installed) throws Exception {
        boolean there = new ProcessBuilder(Python.interpreter(), "-c", module)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
        if (!there) {
            System.out.println("SKIPPED: no " + installed + " (pip install " + installed + ")");
        }
        Assumptions.assumeTrue(there, "no " + installed);
    }

    private static @Nullable String ours(Map<String, ?> testCase) {
        @SuppressWarnings("unchecked")
        Map<String, Object> variables = (Map<String, Object>) testCase.get("variables");
        try {
            return Template.parse((String) testCase.get("template")).render(variables);
        } catch (TemplateException e) {
            return null;
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void templates_of_models_render_like_transformers() throws Exception {
        require("import transformers, jinja2", "transformers==5.5.0 jinja2");
        require("import importlib.metadata as m; m.version('trl')", "--no-deps trl");
        Map<String, ?> answer;
        try (RunningProcess python = Python.start("chat_templates.py")) {
            assertThat(python.awaitExit()).as("%s", python).isZero();
            answer = JsonTree.read(String.join("\n", python.outLines()).getBytes(StandardCharsets.UTF_8));
        }
        assertThat((long) answer.get("templates")).isGreaterThanOrEqualTo(TEMPLATES_MIN);
        List<String> different = new ArrayList<>();
        List<?> cases = (List<?>) answer.get("cases");
        int failing = 0;
        for (Object each : cases) {
            Map<String, ?> testCase = (Map<String, ?>) each;
            Object text = testCase.get("text");
            failing += text == null ? 1 : 0;
            String rendered = ours(testCase);
            if (rendered == null ? text != null : !rendered.equals(text)) {
                different.add(testCase.get("name") + "\n  transformers: "
                        + (text == null ? testCase.get("error") : text) + "\n  ours: " + rendered);
            }
        }
        assertThat(different)
                .as("of %s cases of %s", cases.size(), answer.get("templates"))
                .isEmpty();
        assertThat(failing)
                .as("cases in which a template refuses a conversation")
                .isBetween(1, cases.size() / 2);
    }
}
