package io.sdds.cli.process;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handler of the signal TERM. */
final class Term {
    /*
     * A shutdown hook cannot prevent the end of the process. Java handles signals otherwise only in sun.misc.Signal, of
     * the module jdk.unsupported, which each JDK has. This class uses reflection, as other programs do, because the
     * compiler warning about that class cannot be suppressed. Without the class, TERM ends the process at once.
     */
    private static final Logger log = LoggerFactory.getLogger(Term.class);

    private Term() {}

    /** Makes each TERM run the task, on its own thread. */
    static void handle(Runnable task) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler heard = (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                    task.run();
                }
                return null;
            };
            Object handling = Proxy.newProxyInstance(Term.class.getClassLoader(), new Class<?>[] {handler}, heard);
            Object term = signal.getConstructor(String.class).newInstance("TERM");
            signal.getMethod("handle", signal, handler).invoke(null, term, handling);
        } catch (ReflectiveOperationException e) {
            log.warn("this JVM does not allow a handler of TERM; TERM ends the process at once", e);
        }
    }
}
