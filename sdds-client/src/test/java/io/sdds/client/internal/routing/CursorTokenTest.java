package io.sdds.client.internal.routing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTokenTest {
    @Test
    void saysWhatItWasMadeOf() {
        for (CursorToken token : List.of(
                new CursorToken(7, -3, false, null),
                new CursorToken(1 << 20, 5, true, null),
                new CursorToken(1, 2, false, "key".getBytes(UTF_8)))) {
            CursorToken read = CursorToken.parse(token.text());
            assertThat(read.text()).isEqualTo(token.text());
            assertThat(read.key()).isEqualTo(token.key());
            assertThat(List.of(read.table(), read.scan(), read.atEnd()))
                    .isEqualTo(List.of(token.table(), token.scan(), token.atEnd()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "no token!",
                "AQ",
                "AgAAAAEAAAACAw",
                "AgAAAAEAAAACAQ",
                "AgAAAAEAAAAC_w",
                "AQAAAAEAAAACAAAAAAAAAAMA"
            })
    void refusesWhatIsNone(String text) {
        assertThatThrownBy(() -> CursorToken.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no cursor's token");
    }
}
