package io.metricsaggregator.template;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A parsed template. Immutable: any number of threads may render it at the same time. */
public final class Template {
    private static final int SOURCE_MAX = 1 << 18;

    private final List<Stmt> body;

    private Template(List<Stmt> body) {
        this.body = body;
    }

    /**
     * Parses a template.
     *
     * @throws TemplateException naming the line and the invalid or unsupported construct
     */
    public static Template parse(String source) {
        if (source.length() > SOURCE_MAX) {
            throw new TemplateException("the template has more than " + SOURCE_MAX + " characters");
        }
        try {
            return new Template(Parser.parse(source));
        } catch (StackOverflowError e) {
            throw new TemplateException("the template is nested too deeply");
        }
    }

    /**
     * Renders the template within {@link RenderLimits#DEFAULT}.
     *
     * @param variables by name: maps, lists, strings, {@code Long}, {@code Double}, {@code Boolean} or null
     * @throws TemplateException if the template fails, raises an exception itself, or exceeds the limits
     */
    public String render(Map<String, @Nullable Object> variables) {
        return render(variables, RenderLimits.DEFAULT);
    }

    /**
     * Renders the template. The budget ends a rendering after a few seconds at most.
     *
     * @param variables by name: maps, lists, strings, {@code Long}, {@code Double}, {@code Boolean} or null
     * @param limits the memory limits of the rendering
     * @throws TemplateException if the template fails, raises an exception itself, or exceeds the limits
     */
    public String render(Map<String, @Nullable Object> variables, RenderLimits limits) {
        try {
            return Renderer.render(body, variables, limits);
        } catch (ClassCastException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new TemplateException("invalid argument of a filter or method: " + e.getMessage());
        } catch (StackOverflowError e) {
            throw new TemplateException("the template is nested too deeply");
        }
    }
}
