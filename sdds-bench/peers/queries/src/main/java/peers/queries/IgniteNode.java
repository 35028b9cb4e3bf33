package peers.queries;

import java.util.List;
import org.apache.ignite.Ignition;
import org.apache.ignite.calcite.CalciteQueryEngineConfiguration;
import org.apache.ignite.configuration.ClientConnectorConfiguration;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.configuration.SqlConfiguration;
import org.apache.ignite.indexing.IndexingQueryEngineConfiguration;
import org.apache.ignite.logger.java.JavaLogger;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;

/** A server node of Ignite in memory on 127.0.0.1: arguments NUMBER (0 or 1), PORT, DIRECTORY. */
public final class IgniteNode {
    private IgniteNode() {}

    public static void main(String[] arguments) {
        int number = Integer.parseInt(arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        TcpDiscoverySpi discovery = new TcpDiscoverySpi();
        discovery.setLocalPort(port + 10 + number).setLocalPortRange(0);
        discovery.setIpFinder(new TcpDiscoveryVmIpFinder()
                .setAddresses(List.of("127.0.0.1:" + (port + 10), "127.0.0.1:" + (port + 11))));
        Ignition.start(new IgniteConfiguration()
                .setIgniteInstanceName("n" + number)
                .setLocalHost("127.0.0.1")
                .setMetricsLogFrequency(0)
                .setWorkDirectory(arguments[2])
                .setGridLogger(new JavaLogger())
                .setDiscoverySpi(discovery)
                .setCommunicationSpi(new TcpCommunicationSpi()
                        .setLocalPort(port + 20 + number)
                        .setLocalPortRange(0))
                .setClientConnectorConfiguration(new ClientConnectorConfiguration()
                        .setHost("127.0.0.1")
                        .setPort(port + number)
                        .setPortRange(0))
                .setSqlConfiguration(new SqlConfiguration()
                        .setQueryEnginesConfiguration(
                                new IndexingQueryEngineConfiguration().setDefault(true),
                                new CalciteQueryEngineConfiguration()))
                .setDataStorageConfiguration(new DataStorageConfiguration()
                        .setDefaultDataRegionConfiguration(new DataRegionConfiguration()
                                .setName("d")
                                .setInitialSize(256L << 20)
                                .setMaxSize(1L << 30))));
        System.out.println("READY");
    }
}
