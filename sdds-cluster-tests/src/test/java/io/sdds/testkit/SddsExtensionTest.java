package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.client.UnavailableException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The extension as an application's tests use it; that it fails here fails the class. */
class SddsExtensionTest {
    private static final Set<EmbeddedCluster> SEEN = new HashSet<>();

    /** Hears of the class before the extension does, and of its end after it. */
    @RegisterExtension
    @Order(1)
    static final Around AROUND = new Around();

    @RegisterExtension
    @Order(2)
    static final SddsExtension SDDS = SddsExtension.withBricks(2);

    private static final class Around implements BeforeAllCallback, AfterAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) {
            if (context.getRequiredTestClass() == SddsExtensionTest.class) {
                assertNothingRuns();
            }
        }

        @Override
        public void afterAll(ExtensionContext context) {
            if (context.getRequiredTestClass() != SddsExtensionTest.class) {
                assertThat(SDDS.cluster()).isIn(SEEN);
                return;
            }
            assertNothingRuns();
            assertThat(SEEN).hasSize(1);
            assertThatThrownBy(() -> connect(SEEN.iterator().next().address()))
                    .isInstanceOf(UnavailableException.class);
        }
    }

    private static void assertNothingRuns() {
        assertThatThrownBy(SDDS::cluster)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the cluster runs only while tests do")
                .hasMessageContaining("static and @RegisterExtension");
    }

    /** A bare socket would not do: by now the port may be another listener's. */
    private static void connect(String address) {
        ClientSettings brief =
                ClientSettings.builder().timeout(Duration.ofMillis(500)).build();
        SddsClient.connect(List.of(address), brief).close();
    }

    @BeforeAll
    static void runsBeforeTheFirstTest() {
        assertThat(SDDS.cluster().brickAddresses()).hasSize(2);
    }

    @Test
    void aTestTakesTheClient(SddsClient client) {
        assertThat(client).isSameAs(SDDS.client());
        HashTable<String, String> table =
                client.createHashTable("names", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
        table.put("U+0041", "LATIN CAPITAL LETTER A");
        assertThat(table.get("U+0041")).isEqualTo("LATIN CAPITAL LETTER A");
    }

    @Test
    void aTestTakesTheCluster(EmbeddedCluster cluster) {
        SEEN.add(cluster);
        assertThat(cluster).isSameAs(SDDS.cluster());
    }

    @Test
    void aTestTakesBoth(EmbeddedCluster cluster, SddsClient client) {
        SEEN.add(cluster);
        assertThat(client).isSameAs(cluster.client());
    }

    @Nested
    class InANestedClass {
        @Test
        void theClusterIsThatOfTheOuterOne(EmbeddedCluster cluster) {
            SEEN.add(cluster);
            assertThat(cluster).isSameAs(SDDS.cluster());
        }
    }

    @Nested
    class InAnotherNestedClass {
        @Test
        void itRunsOn(EmbeddedCluster cluster) {
            SEEN.add(cluster);
            assertThat(cluster.client().tables()).isNotNull();
        }
    }

    @Nested
    class AsAFieldThatIsNotStatic {
        @RegisterExtension
        final SddsExtension notStatic = SddsExtension.withBricks(1);

        @Test
        void saysWhatIsWrong() {
            assertThatThrownBy(notStatic::client)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is the field static and @RegisterExtension?");
        }
    }
}
