package io.metricsaggregator.transport;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.XECPrivateKey;
import java.security.interfaces.XECPublicKey;

/**
 * A key pair of one side of CURVE, each key in 40 characters of Z85 as {@code zmq.curve_keypair} prints them. Immutable.
 *
 * @param publicKey for the other side
 * @param secretKey for nobody else
 */
public record CurveKeyPair(String publicKey, String secretKey) {
    private static final int KEY_BYTES = 32;
    private static final String Z85 =
            "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

    /** Creates a key pair with the system's secure random numbers. CURVE's keys are those of X25519. */
    public static CurveKeyPair generate() {
        try {
            KeyPair pair = KeyPairGenerator.getInstance("X25519").generateKeyPair();
            byte[] scalar = ((XECPrivateKey) pair.getPrivate())
                    .getScalar()
                    .orElseThrow(() -> new IllegalStateException("the JDK keeps the secret key to itself"));
            return new CurveKeyPair(z85(littleEndian(((XECPublicKey) pair.getPublic()).getU())), z85(scalar));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has X25519", e);
        }
    }

    private static byte[] littleEndian(BigInteger number) {
        byte[] big = number.toByteArray();
        byte[] little = new byte[KEY_BYTES];
        for (int i = 0; i < Math.min(KEY_BYTES, big.length); i++) {
            little[i] = big[big.length - 1 - i];
        }
        return little;
    }

    /** Encodes bytes, a multiple of 4, by ZeroMQ's RFC 32. */
    static String z85(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length * 5 / 4);
        for (int i = 0; i < bytes.length; i += 4) {
            long word = (bytes[i] & 0xffL) << 24
                    | (bytes[i + 1] & 0xffL) << 16
                    | (bytes[i + 2] & 0xffL) << 8
                    | (bytes[i + 3] & 0xffL);
            for (long divisor = 85L * 85 * 85 * 85; divisor > 0; divisor /= 85) {
                text.append(Z85.charAt((int) (word / divisor % 85)));
            }
        }
        return text.toString();
    }

    /** The public key alone. */
    @Override
    public String toString() {
        return "CurveKeyPair[" + publicKey + "]";
    }
}
