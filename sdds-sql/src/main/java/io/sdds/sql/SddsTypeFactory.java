package io.sdds.sql;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;

/** Makes types whose texts may have all characters. */
final class SddsTypeFactory extends JavaTypeFactoryImpl {
    SddsTypeFactory() {
        super(SddsTypeSystem.INSTANCE);
    }

    @Override
    public Charset getDefaultCharset() {
        return StandardCharsets.UTF_8;
    }
}
