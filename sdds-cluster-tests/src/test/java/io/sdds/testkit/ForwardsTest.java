package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.TableOptions;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.netty.RawClient;
import io.sdds.core.protocol.Hello.Role;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a brick does with requests for other partitions than they are addressed to. */
class ForwardsTest {
    private static final int PATIENCE_MILLIS = 10_000;

    @Test
    void aRequestIsForwardedForItsAddressTwiceAndSentBackInsteadOfAThirdTime() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1);
                RawClient client = new RawClient(cluster.brickAddresses().get(0), Role.BRICK)) {
            HashTable<String, String> table = cluster.client()
                    .createHashTable("t", TableOptions.defaults().withPartitions(2), Codec.utf8(), Codec.utf8());
            String key = IntStream.range(0, 100)
                    .mapToObj(k -> "key" + k)
                    .filter(k -> LinearHashing.address(PseudoKey.of(k.getBytes(StandardCharsets.UTF_8)), 2) == 1)
                    .findFirst()
                    .orElseThrow();
            table.put(key, "there");
            int id = cluster.client().status(false).tables().get(0).id();
            for (int hops = 0; hops < Limits.ADDRESSING_HOPS_MAX; hops++) {
                assertThat(status(client, id, key, hops)).isEqualTo(Status.OK);
            }
            assertThat(status(client, id, key, Limits.ADDRESSING_HOPS_MAX)).isEqualTo(Status.REDIRECT);
        }
    }

    /** Of a request that is addressed to partition 0, after so many forwards. */
    private static byte status(RawClient client, int table, String key, int addressingHops) throws Exception {
        ByteBuf get = RawClient.gets(table, key, addressingHops, 1);
        get.setByte(RequestFrame.ADDRESSING_HOPS, addressingHops).setByte(RequestFrame.HOPS, addressingHops);
        client.send(get);
        ByteBuf frame = client.receive(PATIENCE_MILLIS);
        while (RawClient.opcode(frame) != Opcode.REPLY) {
            frame = client.receive(PATIENCE_MILLIS);
        }
        return frame.getByte(ReplyFrame.STATUS);
    }
}
