package io.sdds.core.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeAddressTest {
    @Test
    void readsNamesAndAddressesOfBothFamilies() {
        assertThat(NodeAddress.parse("brick-1.example:7410")).isEqualTo(new NodeAddress("brick-1.example", 7410));
        assertThat(NodeAddress.parse("127.0.0.1:65535")).isEqualTo(new NodeAddress("127.0.0.1", 65_535));
        assertThat(NodeAddress.parse("[::1]:1")).isEqualTo(new NodeAddress("::1", 1));
        assertThat(NodeAddress.parse("[fe80::1%eth0]:7400").host()).isEqualTo("fe80::1%eth0");
        assertThat(NodeAddress.parse("[::1]:1")).hasToString("[::1]:1");
    }

    @ParameterizedTest
    @CsvSource({
        "nonsense,          the port is missing",
        "[::1],             the port is missing",
        ":7400,             the host is missing",
        "localhost:,        the port must be a number from 1 to 65535",
        "localhost:http,    the port must be a number from 1 to 65535",
        "localhost:0,       the port must be a number from 1 to 65535",
        "localhost:65536,   the port must be a number from 1 to 65535",
        "localhost:-1,      the port must be a number from 1 to 65535",
        "::1:7400,          an IPv6 address is written in brackets",
        "[localhost]:7400,  the brackets hold no IPv6 address",
        "http://host:7400,  'http://host' is not a host name",
        "two words:7400,    'two words' is not a host name",
        "x:y:7400,          'x:y' is not a host name",
    })
    void saysWhatIsWrong(String text, String problem) {
        assertThatThrownBy(() -> NodeAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not host:port: " + problem);
    }
}
