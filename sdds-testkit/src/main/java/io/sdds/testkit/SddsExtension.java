package io.sdds.testkit;

import io.sdds.client.SddsClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A cluster for the tests of a class and its nested classes. The cluster starts before the first test and stops after
 * the last test. Test methods may take an {@link SddsClient} or the {@link EmbeddedCluster} as parameters.
 *
 * <pre>{@code
 * @RegisterExtension
 * static SddsExtension sdds = SddsExtension.withBricks(4);
 * }</pre>
 */
public final class SddsExtension implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
    private final int bricks;
    private @Nullable EmbeddedCluster cluster;

    /** The class whose tests started the cluster. JUnit also calls the extension for each nested class. */
    private @Nullable Class<?> owner;

    private SddsExtension(int bricks) {
        this.bricks = bricks;
    }

    public static SddsExtension withBricks(int bricks) {
        return new SddsExtension(bricks);
    }

    /** The cluster, while the tests of the class run. */
    public EmbeddedCluster cluster() {
        if (cluster == null) {
            throw new IllegalStateException(
                    "the cluster runs only while tests do; is the field static and @RegisterExtension?");
        }
        return cluster;
    }

    /** The client of the cluster. */
    public SddsClient client() {
        return cluster().client();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (cluster == null) {
            cluster = EmbeddedCluster.start(bricks);
            owner = context.getRequiredTestClass();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (cluster != null && context.getRequiredTestClass() == owner) {
            cluster.close();
            cluster = null;
            owner = null;
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == SddsClient.class || type == EmbeddedCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SddsClient.class ? client() : cluster();
    }
}
